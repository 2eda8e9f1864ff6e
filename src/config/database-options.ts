/** The database and the keys of the secrets in it, as part of the table in options.ts. */
import { StartError } from "../platform/errors.ts";
import { parseSecretKey } from "../platform/secrets.ts";
import { completeDatabaseUrl } from "./database-url.ts";
import { path, secret, type ValueType, type Option } from "./value-types.ts";

/** 32 bytes as base64 or as hexadecimal digits; answers the digits. */
const key: ValueType<string> = {
  name: "KEY",
  parse(given) {
    const bytes = parseSecretKey(given);
    if (bytes === undefined)
      throw new StartError("must be 32 bytes as base64 or as 64 hexadecimal digits; `openssl rand -base64 32` makes one");
    return bytes.toString("hex");
  },
};

export const DATABASE_OPTIONS = {
  databasePath: {
    flag: "--db",
    env: "DB",
    type: path,
    otherwise: "binnacle.db in the data folder",
    help: "The file of the built-in database.",
  },
  databaseUrl: {
    flag: "--database-url",
    env: "DATABASE_URL",
    type: secret({ name: "URL", parse: completeDatabaseUrl }),
    otherwise: "the built-in database",
    help: "A PostgreSQL database to use in its place. TLS is required of hosts elsewhere unless sslmode says otherwise.",
  },
  secretKey: {
    flag: "--secret-key",
    env: "SECRET_KEY",
    type: secret(key),
    otherwise: "the file secret.key in the data folder, made at the first start",
    help: "The key that seals the secrets in the database: 32 bytes as base64 or hexadecimal digits. Several servers of one database need the same.",
  },
  previousSecretKey: {
    flag: "--old-secret-key",
    env: "OLD_SECRET_KEY",
    type: secret(key),
    otherwise: "no other key is tried",
    help: "The key before this one: what it opens is sealed with the present key at the next start.",
  },
} as const satisfies Record<string, Option>;
