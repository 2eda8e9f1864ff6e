import { resolve } from "node:path";
import { StartError } from "../platform/errors.ts";
import type { BucketAddress } from "./backup-options.ts";
import type { Secret } from "./secret.ts";

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
