"""The reference interpreter: what the IR means, written to be read."""

from interpreter.reference.machine import Reference

__all__ = ["Reference"]
