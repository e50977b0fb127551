CREATE TABLE artifacts (
    kernel_id INTEGER NOT NULL REFERENCES kernels (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (kernel_id, ordinal)
);

CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    task_digest TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    at REAL NOT NULL,
    size_bytes INTEGER NOT NULL,
    body BLOB NOT NULL
);

CREATE INDEX attempts_by_episode ON attempts (episode_id);

CREATE INDEX attempts_by_task ON attempts (task_digest);

CREATE TABLE kernels (
    id INTEGER PRIMARY KEY,
    proof_digest TEXT NOT NULL,
    bucket TEXT NOT NULL,
    candidate_digest TEXT NOT NULL,
    proof_key TEXT NOT NULL,
    verdict TEXT NOT NULL,
    measurement TEXT NOT NULL,
    requires TEXT NOT NULL,
    provenance TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at REAL NOT NULL,
    last_used_at REAL NOT NULL,
    size_bytes INTEGER NOT NULL,
    row_digest TEXT NOT NULL,
    candidate TEXT NOT NULL,
    UNIQUE (proof_digest, bucket, candidate_digest)
);

CREATE TABLE leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    token TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    pid INTEGER NOT NULL,
    pid_started TEXT NOT NULL,
    acquired_at REAL NOT NULL,
    expires_at REAL NOT NULL
) WITHOUT ROWID;

CREATE TABLE memory_items (
    id INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    row_digest TEXT NOT NULL
);

CREATE TABLE memory_values (
    item_id TEXT NOT NULL REFERENCES memory_items (item_id) ON DELETE CASCADE,
    stage TEXT NOT NULL,
    signature TEXT NOT NULL,
    value REAL NOT NULL,
    count INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (item_id, stage, signature)
) WITHOUT ROWID;

CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE quarantine (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    reason TEXT NOT NULL,
    payload TEXT NOT NULL,
    at REAL NOT NULL
);
