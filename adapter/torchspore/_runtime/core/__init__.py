"""What every part of the runtime stands on: MindSpore, the errors that adapters raise, the choice of a target."""
