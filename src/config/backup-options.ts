import { resolve } from "node:path";
import { StartError } from "../platform/errors.ts";
import { origin } from "./address-types.ts";
import type { Secret } from "./secret.ts";
import { clientCredential, duration, integer, path, secret, text, type ValueType, type Option } from "./value-types.ts";

/** A bucket of an S3-compatible store, and what the names of objects in it begin with. */
export interface BucketAddress {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

/** `s3://BUCKET` or `s3://BUCKET/PREFIX`, of the characters that S3 calls safe. */
export const bucketAddress: ValueType<BucketAddress> = {
  name: "s3://BUCKET/PREFIX",
  parse(given) {
    const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]{0,512}))?$/.exec(given) ?? [];
    const parts = prefix.replace(/\/$/, "").split("/");
    if (bucket === undefined || (prefix !== "" && parts.some((part) => /^\.{0,2}$/.test(part))))
      throw new StartError("must be s3://BUCKET or s3://BUCKET/PREFIX, of letters, digits and -_.!*'() in the prefix");
    return { bucket, prefix: prefix === "" ? "" : `${parts.join("/")}/` };
  },
};

/** Backups that are taken by themselves. */
export const BACKUP_OPTIONS = {
  backupDir: {
    flag: "--backup-dir",
    env: "BACKUP_DIR",
    type: path,
    otherwise: "no backups are taken into a folder",
    help: "A folder into which backups are taken by themselves; each is verified by a trial restore.",
  },
  backupS3: {
    flag: "--backup-s3",
    env: "BACKUP_S3",
    type: bucketAddress,
    otherwise: "no backups are taken into a bucket",
    help: "A bucket of an S3-compatible store, in place of a folder. The prefix must not be shared with another installation.",
  },
  backupS3Endpoint: {
    flag: "--backup-s3-endpoint",
    env: "BACKUP_S3_ENDPOINT",
    type: origin,
    otherwise: "https://s3.REGION.amazonaws.com",
    help: "Where that store is.",
  },
  backupS3Region: {
    flag: "--backup-s3-region",
    env: "BACKUP_S3_REGION",
    type: text,
    default: "us-east-1",
    help: "The region that requests are signed for; stores without regions take any.",
  },
  backupS3KeyId: {
    flag: "--backup-s3-key-id",
    env: "BACKUP_S3_KEY_ID",
    type: secret(clientCredential),
    otherwise: "none; a bucket needs it",
    help: "The id of the access key.",
  },
  backupS3Secret: {
    flag: "--backup-s3-secret",
    env: "BACKUP_S3_SECRET",
    type: secret(clientCredential),
    otherwise: "none; a bucket needs it",
    help: "Its secret.",
  },
  backupInterval: {
    flag: "--backup-interval",
    env: "BACKUP_INTERVAL",
    type: duration({ min: "1m", max: "720h" }),
    default: "24h",
    help: "How often.",
  },
  backupKeep: {
    flag: "--backup-keep",
    env: "BACKUP_KEEP",
    type: integer({ min: 1, max: 1000 }),
    default: "7",
    help: "How many of these backups are kept; the oldest go first.",
  },
} as const satisfies Record<string, Option>;

/** Where backups are taken by themselves. */
export type BackupTarget =
  | { readonly kind: "folder"; readonly folder: string }
  | ({
      readonly kind: "bucket";
      /** `https://HOST[:PORT]`. */
      readonly endpoint: string;
      readonly region: string;
      readonly accessKey: Secret;
      readonly secretKey: Secret;
    } & Readonly<BucketAddress>);

interface BackupValues {
  readonly backupDir: string | undefined;
  readonly backupS3: BucketAddress | undefined;
  readonly backupS3Endpoint: string | undefined;
  readonly backupS3Region: string;
  readonly backupS3KeyId: Secret | undefined;
  readonly backupS3Secret: Secret | undefined;
}

/** Undefined when none are taken. Throws a StartError when the options do not fit together. */
export function completeBackupTarget(values: BackupValues): BackupTarget | undefined {
  const { backupDir, backupS3, backupS3Region: region, backupS3KeyId: accessKey, backupS3Secret: secretKey } = values;
  if (backupS3 === undefined) {
    if ([values.backupS3Endpoint, accessKey, secretKey].some((value) => value !== undefined))
      throw new StartError("SERVICE_BACKUP_S3: needed with the other SERVICE_BACKUP_S3 options");
    return backupDir === undefined ? undefined : { kind: "folder", folder: resolve(backupDir) };
  }
  if (backupDir !== undefined) throw new StartError("SERVICE_BACKUP_DIR and SERVICE_BACKUP_S3: backups are taken into one of them");
  if (accessKey === undefined || secretKey === undefined)
    throw new StartError("SERVICE_BACKUP_S3_KEY_ID and SERVICE_BACKUP_S3_SECRET: both are needed with SERVICE_BACKUP_S3");
  if (!/^[a-z0-9-]{1,64}$/i.test(region))
    throw new StartError("SERVICE_BACKUP_S3_REGION: is not the name of a region, such as eu-central-1");
  const endpoint = values.backupS3Endpoint ?? `https://s3.${region}.amazonaws.com`;
  return { kind: "bucket", ...backupS3, endpoint, region, accessKey, secretKey };
}

/** As it is shown: a folder, or `s3://BUCKET/PREFIX`. */
export function shownTarget(target: BackupTarget): string {
  return target.kind === "folder" ? target.folder : `s3://${target.bucket}/${target.prefix}`;
}
