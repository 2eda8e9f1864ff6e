import { join } from "node:path";
import type { BackupTarget, BucketAddress } from "../../config/backup-options.ts";
import type { Config } from "../../config/config.ts";
import type { S3Settings } from "./s3-client.ts";

export type BucketOptions = {
  kind: "bucket";
  /** Where files are written before an upload and after a download. */
  workFolder: string;
  caCert: string | undefined;
} & BucketAddress &
  S3Settings;

/** A destination in plain values, as it is passed to a thread. */
export type DestinationOptions = { kind: "folder"; folder: string } | BucketOptions;

export function destinationOf(target: BackupTarget, { dataDir, caCert }: Pick<Config, "dataDir" | "caCert">): DestinationOptions {
  if (target.kind === "folder") return { kind: "folder", folder: target.folder };
  const { accessKey, secretKey, ...bucket } = target;
  return { ...bucket, accessKey: accessKey.reveal(), secretKey: secretKey.reveal(), workFolder: join(dataDir, "backup-work"), caCert };
}
