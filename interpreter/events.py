"""The shapes of the event log: one tuple for each thing that happened, its kind first.

All values are those of the IR (numbers for things and words), so a log is plain data; rendering
for a seat happens elsewhere. A *where* is ``(position, place)``: 0 and a thing or None, 1 for the
box, or the number of a pile instance.

======== ================================================== =====================================
kind     rest                                               remark
======== ================================================== =====================================
begin    doing, args                                        it runs (sent after its before rules)
end      doing, result, how                                 how: "", "replaced" or "left"
hook     doing, when, index, row                            a rule about a doing acts; row serial or 0
rule     state rule, values, row                            a state rule acts
gain     thing, field, amount, other thing, other field     amount below 0 for a loss; other None, -1
set      thing, field, key, old, new
global   index, old, new
move     thing, from where, to where
roll     path, value, by
pick     path, value                                        a value, or a tuple
shuffle  path, thing, field                                 of a list: None, -1
answer   decision, seat, value, by                          by: "sole", "policy" or "provider"
win      players
show     things, players
undo     slot, old, new                                     a duration is over
======== ================================================== =====================================
"""

from __future__ import annotations

Event = tuple[object, ...]

BEGIN = "begin"
END = "end"
HOOK = "hook"
RULE = "rule"
GAIN = "gain"
SET = "set"
GLOBAL = "global"
MOVE = "move"
ROLL = "roll"
PICK = "pick"
SHUFFLE = "shuffle"
ANSWER = "answer"
WIN = "win"
SHOW = "show"
UNDO = "undo"

SOLE = "sole"
POLICY = "policy"
PROVIDER = "provider"
