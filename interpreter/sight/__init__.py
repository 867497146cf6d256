"""Who sees what.

- `observation`: the state as one seat sees it; `views`: the same as plain data with names
- `offers`: what is on offer, as the one who is asked may see it; `openness`: what everybody may know
- `viewing`: expressions of everything, or of what one seat sees
- `redeal`: other states that a seat cannot tell apart; `secrecy`: questions, put again in such states
"""
