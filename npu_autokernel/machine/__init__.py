"""The Ascend machine: parser, executor and clock of what the compiler emits, and the chip tables."""
