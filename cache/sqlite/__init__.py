"""The store in one SQLite file, shared by the processes of a host.

``store`` keeps the contract; ``connections`` opens and guards the file in its folder;
``transaction`` runs one unit of work; ``rows`` and ``scan`` turn rows into checked records;
``leases``, ``memory``, ``intake``, ``quarantine`` and ``upkeep`` are the work itself.
"""

from __future__ import annotations
