import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../platform/clock.ts";
import { messageOf, StartError } from "../../platform/errors.ts";
import { makeFolder } from "../../platform/files.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { openTrust } from "../open-trust.ts";
import type { BucketOptions, DestinationOptions } from "./destination-options.ts";
import { createS3Client, S3Error } from "./s3-client.ts";
import { abortUploads, listKeys, uploadFile } from "./s3-upload.ts";

/** Where backups are kept. Its methods throw a StartError. */
export interface Destination {
  /** Where files are written in between. */
  workFolder: string;
  /** Removes what an interrupted run left. */
  clear(): Promise<void>;
  /** Keeps the file of this name in the work folder. */
  store(name: string): Promise<void>;
  /** The path of a file with what is kept under this name. */
  fetch(name: string): Promise<string>;
  /** Oldest first. */
  names(): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): void;
}

const BACKUP_NAME = /^binnacle-\d{8}T\d{6}Z\.backup$/;
const LEFTOVER_NAME = /^binnacle-\d{8}T\d{6}Z\.backup\.partial$|^trial-restore-[A-Za-z0-9]{6}$/;

export function openDestination(options: DestinationOptions): Destination {
  return options.kind === "folder" ? openFolder(options.folder) : openBucket(options);
}

function openFolder(folder: string): Destination {
  return {
    workFolder: folder,
    async clear() {
      makeFolder(folder);
      for (const name of readdirSync(folder)) if (LEFTOVER_NAME.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    },
    // It was written there.
    store: async () => undefined,
    fetch: async (name) => join(folder, name),
    names: async () =>
      readdirSync(folder)
        .filter((name) => BACKUP_NAME.test(name))
        .toSorted(),
    remove: async (name) => rmSync(join(folder, name), { force: true }),
    close: () => undefined,
  };
}

/** A bucket with what is needed to ask it. */
function bucketOf({ prefix, caCert, workFolder: _, ...settings }: BucketOptions, signal?: AbortSignal) {
  // The operator names the store, not a user: it may be in a private network, and be asked over http.
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock, trust: openTrust({ caCert }) });
  const client = createS3Client(settings, outbound, systemClock, signal);
  const where = `s3://${settings.bucket}/${prefix}`;
  const isOurs = (key: string): boolean => key.startsWith(prefix) && BACKUP_NAME.test(key.slice(prefix.length));

  async function asking<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      throw new StartError(`${what}: ${messageOf(error)}`, { cause: error });
    }
  }

  return {
    client,
    where,
    isOurs,
    asking,
    names: () =>
      asking(`The backups in ${where} cannot be listed`, async () =>
        (await listKeys(client, prefix))
          .filter(isOurs)
          .map((key) => key.slice(prefix.length))
          .toSorted(),
      ),
    stop: outbound.stop,
  };
}

/** Lists the backups in a bucket, oldest first, and changes nothing. Throws a StartError. */
export async function listBucket(options: BucketOptions, signal: AbortSignal): Promise<string[]> {
  const { names, stop } = bucketOf(options, signal);
  try {
    return await names();
  } finally {
    stop();
  }
}

function openBucket(options: BucketOptions): Destination {
  const { prefix, workFolder } = options;
  const { client, where, isOurs, asking, names, stop } = bucketOf(options);
  return {
    workFolder,
    async clear() {
      rmSync(workFolder, { recursive: true, force: true });
      makeFolder(workFolder);
      await asking(`Interrupted uploads to ${where} cannot be removed`, () => abortUploads(client, prefix, isOurs));
    },
    async store(name) {
      const path = join(workFolder, name);
      await asking(`The backup ${where}${name} cannot be stored`, () => uploadFile(client, path, prefix + name));
      rmSync(path);
    },
    async fetch(name) {
      const path = join(workFolder, name);
      await asking(`The backup ${where}${name} cannot be read back`, () => client.download(prefix + name, path));
      return path;
    },
    names,
    async remove(name) {
      await asking(`The backup ${where}${name} cannot be removed`, () => client.request({ method: "DELETE", key: prefix + name }));
    },
    close() {
      stop();
      rmSync(workFolder, { recursive: true, force: true });
    },
  };
}
