"""What many games say: they are measured one by one, added up in parts, and compared in pairs.

plan        what is played: versions of a game, who sits where, which seeds
measuring   one game, and what is noted of it
tallies     sums that can be joined, of any number of games in a fixed space
batches     so many games in a row, wherever they are played
running     all batches, on one machine or on many, in parts that can be done again
intervals   how sure the figures are
comparing   what the difference between two versions allows to say
"""
