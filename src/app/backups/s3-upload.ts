import { type FileHandle, open } from "node:fs/promises";
import { type S3Client, S3Error, elementsOf, textsOf } from "./s3-client.ts";

/** What is larger is sent in parts of this size or, so that there are no more than S3 takes, of a larger one. One part is in memory at a time. */
const PART_BYTES = 8 * 1024 * 1024;
const MOST_PARTS = 10_000;

/** Stores a file as an object, whole or not at all. Throws an S3Error, or what the file system says. */
export async function uploadFile(client: S3Client, path: string, key: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size <= PART_BYTES) await client.request({ method: "PUT", key, body: await partOf(file, Buffer.allocUnsafe(size), 0) });
    else await uploadParts(client, file, { key, size });
  } finally {
    await file.close();
  }
}

async function uploadParts(client: S3Client, file: FileHandle, { key, size }: { key: string; size: number }): Promise<void> {
  const { text } = await client.request({ method: "POST", key, query: { uploads: "" } });
  const [uploadId] = textsOf(text, "UploadId");
  if (uploadId === undefined) throw new S3Error("The store began an upload without naming it");
  try {
    const partBytes = Math.max(PART_BYTES, Math.ceil(size / MOST_PARTS));
    const parts: string[] = [];
    // The same memory for each part: it is answered before the next one is read.
    const memory = Buffer.allocUnsafe(partBytes);
    for (let from = 0; from < size; from += partBytes) {
      const query = { partNumber: String(parts.length + 1), uploadId };
      const body = await partOf(file, memory.subarray(0, size - from), from);
      const { headers } = await client.request({ method: "PUT", key, query, body });
      const etag = headers.etag?.replaceAll(/[<&]/g, "") ?? "";
      parts.push(`<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    }
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    await client.request({ method: "POST", key, query: { uploadId }, body });
  } catch (error) {
    // What is left of it is removed before the next backup.
    await abortUpload(client, key, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Fills a part with what the file has from a place on. */
async function partOf(file: FileHandle, part: Uint8Array, from: number): Promise<Uint8Array> {
  const { bytesRead } = await file.read(part, 0, part.length, from);
  if (bytesRead < part.length) throw new Error("the file became shorter while it was sent");
  return part;
}

async function abortUpload(client: S3Client, key: string, uploadId: string): Promise<void> {
  await client.request({ method: "DELETE", key, query: { uploadId } });
}

/** Removes what interrupted uploads left, which cannot be seen among the objects and costs the same. What a store answers that does not list them is left for the upload to find. */
export async function abortUploads(client: S3Client, prefix: string, isOurs: (key: string) => boolean): Promise<void> {
  let text: string;
  try {
    ({ text } = await client.request({ method: "GET", query: { uploads: "", prefix } }));
  } catch (error) {
    if (error instanceof S3Error && error.status !== undefined && [400, 403, 404, 405, 501].includes(error.status)) return;
    throw error;
  }
  for (const upload of elementsOf(text, "Upload")) {
    const [key] = textsOf(upload, "Key");
    const [uploadId] = textsOf(upload, "UploadId");
    if (key !== undefined && uploadId !== undefined && isOurs(key)) await abortUpload(client, key, uploadId);
  }
}

/** The keys of all objects that begin with a prefix. */
export async function listKeys(client: S3Client, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (let token: string | undefined = ""; token !== undefined;) {
    const next: Record<string, string> = token === "" ? {} : { "continuation-token": token };
    const { text } = await client.request({ method: "GET", query: { "list-type": "2", prefix, ...next } });
    keys.push(...elementsOf(text, "Contents").flatMap((content) => textsOf(content, "Key")));
    token = textsOf(text, "IsTruncated")[0] === "true" ? textsOf(text, "NextContinuationToken")[0] : undefined;
  }
  return keys;
}
