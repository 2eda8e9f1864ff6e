import assert from "node:assert/strict";
import { it } from "node:test";
import { shownTarget } from "./backup-options.ts";
import { parseConfig } from "./config.ts";

const KEYS = { SERVICE_BACKUP_S3_KEY_ID: "AKIDEXAMPLE", SERVICE_BACKUP_S3_SECRET: "s3cret/key+" };

function targetOf(env: Record<string, string>, readFile: (path: string) => string = assert.fail) {
  const start = parseConfig({ argv: [], env, readFile });
  return "config" in start ? start.config.backupTarget : undefined;
}

it("backups go nowhere, into a folder, or into a bucket", () => {
  assert.equal(targetOf({}), undefined);
  assert.deepEqual(targetOf({ SERVICE_BACKUP_DIR: "/backups" }), { kind: "folder", folder: "/backups" });
  const target = targetOf({ SERVICE_BACKUP_S3: "s3://my.backups/of/binnacle/", SERVICE_BACKUP_S3_REGION: "eu-central-1", ...KEYS });
  assert.ok(target?.kind === "bucket");
  const { bucket, prefix, endpoint, secretKey } = target;
  assert.deepEqual([bucket, prefix, endpoint], ["my.backups", "of/binnacle/", "https://s3.eu-central-1.amazonaws.com"]);
  assert.equal(shownTarget(target), "s3://my.backups/of/binnacle/");
  assert.equal(secretKey.reveal(), "s3cret/key+");
  assert.doesNotMatch(JSON.stringify(target), /s3cret|AKID/);
});

it("the keys of a bucket come from files", () => {
  const target = targetOf(
    { SERVICE_BACKUP_S3: "s3://backups", SERVICE_BACKUP_S3_KEY_ID_FILE: "/run/id", SERVICE_BACKUP_S3_SECRET_FILE: "/run/secret" },
    (path) => `${path}\n`,
  );
  assert.ok(target?.kind === "bucket");
  assert.deepEqual([target.prefix, target.accessKey.reveal(), target.secretKey.reveal()], ["", "/run/id", "/run/secret"]);
});

for (const [env, message] of [
  [{ SERVICE_BACKUP_S3: "s3://backups" }, /SERVICE_BACKUP_S3_KEY_ID and SERVICE_BACKUP_S3_SECRET: both are needed/],
  [{ ...KEYS }, /SERVICE_BACKUP_S3: needed/],
  [{ SERVICE_BACKUP_S3: "s3://backups", SERVICE_BACKUP_DIR: "/backups", ...KEYS }, /one of them/],
  [{ SERVICE_BACKUP_S3: "s3://backups", SERVICE_BACKUP_S3_REGION: "evil.example/", ...KEYS }, /SERVICE_BACKUP_S3_REGION/],
  ...["https://backups", "s3://UPPER", "s3://backups/a/../b", "s3://backups/a//b", "s3://backups//", "s3://backups/a b", "s3://ab/c?d"].map(
    (address) => [{ SERVICE_BACKUP_S3: address, ...KEYS }, /SERVICE_BACKUP_S3: must be s3:\/\/BUCKET/] as const,
  ),
] as const)
  it(`backups are refused: ${JSON.stringify(env)}`, () => {
    assert.throws(() => targetOf(env), message);
  });
