"""The code generator: from the IR to Python syntax trees."""
