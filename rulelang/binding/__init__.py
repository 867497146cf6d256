"""The parts of the binder: each fills some of the tables of `rulelang.symbols`."""
