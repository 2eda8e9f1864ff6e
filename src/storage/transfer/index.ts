export { openBackup } from "./backup-source.ts";
export { writeBackup } from "./backup-file.ts";
export { copyInto, restoreInto } from "./copy.ts";
export { removeReplacedFiles, removeReplacedSchemas } from "./replaced.ts";
export { openPostgresSource } from "./postgres-source.ts";
export { openPostgresTarget } from "./postgres-target.ts";
export { openSqliteSource } from "./sqlite-source.ts";
export { openSqliteTarget } from "./sqlite-target.ts";
export { stampOf, type Source, type Target } from "./target.ts";
