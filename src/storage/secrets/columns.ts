/** A column whose values are stored sealed. */
export interface SecretColumn {
  table: string;
  column: string;
  /** How a sentence names a value, before the name of its row. */
  what: string;
  /** The migration that makes the table. */
  since: string;
  /** Which rows hold secrets, as SQL; all of them when undefined. */
  where?: string;
}

/** Every column with secrets that must be read again. All others are kept as hashes or not at all: see docs/storage.md. */
export const SECRET_COLUMNS: readonly SecretColumn[] = [
  { table: "channels", column: "url", what: "the address of the channel", since: "007-channels" },
  { table: "channels", column: "headers", what: "the headers of the channel", since: "007-channels" },
  { table: "webhooks", column: "url", what: "the address of the webhook subscription", since: "010-deliveries" },
  { table: "webhooks", column: "secret", what: "the signing secret of the webhook subscription", since: "010-deliveries" },
  { table: "vapid_keys", column: "private_key", what: "the private key for browser notifications", since: "042-vapid-keys" },
  // Credentials of labels are masked before they are stored.
  {
    table: "endpoints",
    column: "checked",
    what: "the target and headers of the endpoint",
    since: "004-endpoints",
    where: "label_key IS NULL",
  },
];
