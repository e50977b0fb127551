"""The Ascend tool chain: Triton's front end and bishengir-compile, from source text to an HIVM dump.

Order: `discovery` finds the parts, `front_end` turns a candidate's launches into linalg, `bishengir` turns that
into the dump the machine executes, `diagnostics` turns what either of them says into a reason code.
`triton_ascend` puts them together. All but `discovery` and `versions` run in a worker process only.
"""
