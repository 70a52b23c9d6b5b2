import mindspore
