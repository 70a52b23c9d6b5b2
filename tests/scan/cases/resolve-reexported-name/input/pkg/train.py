import pkg

pkg.wait_for_all()
