import { createPrivateKey, type KeyObject } from "node:crypto";
import { chmodSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StartError } from "../../platform/errors.ts";
import { writeWholeFile, readBoundedFile } from "../../platform/files.ts";
import { agentIdBytes } from "../handshake.ts";

const LARGEST_FILE = 16_384;

/** The identity of this agent. The private key never leaves this host, and leaves its folder only with this file. */
export interface Identity {
  /** A UUID. */
  agentId: string;
  privateKey: KeyObject;
  /** The server where it enrolled, as `host:port`. */
  server: string;
  enrolledAt: Date;
}

export function identityPath(dataDir: string): string {
  return join(dataDir, "identity.json");
}

/** The identity in this folder; undefined when there is none yet. Throws a StartError for one that cannot be used; it is never overwritten. */
export function readIdentity(dataDir: string): Identity | undefined {
  const path = identityPath(dataDir);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    // It may have been copied manually: only this user may read the key.
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
    return parseIdentity(readBoundedFile(path, LARGEST_FILE));
  } catch (error) {
    throw new StartError(
      `The identity of this agent, ${path}, cannot be used: ${messageOf(error)}. Put back a copy of it, or remove it and enroll again with a new token.`,
      { cause: error },
    );
  }
}

/** Errors say what is wrong, but never contain the text: it has a private key. */
function parseIdentity(text: string): Identity {
  const { agent_id: agentId, private_key: pem, server, enrolled_at: enrolledAt } = objectOf(text);
  if (typeof agentId !== "string" || agentIdBytes(agentId) === undefined) throw new Error("agent_id is not a UUID");
  if (typeof server !== "string") throw new Error("server is missing");
  if (typeof enrolledAt !== "string" || Number.isNaN(Date.parse(enrolledAt))) throw new Error("enrolled_at is not a time");
  return { agentId, privateKey: privateKeyOf(pem), server, enrolledAt: new Date(enrolledAt) };
}

function objectOf(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("it is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("it is not a JSON object");
  return { ...value };
}

function privateKeyOf(pem: unknown): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = typeof pem === "string" ? createPrivateKey(pem) : undefined;
  } catch {
    key = undefined;
  }
  if (key?.asymmetricKeyType !== "ed25519") throw new Error("private_key is not an Ed25519 key in PEM");
  return key;
}

/** Writes the file completely or not at all, readable by this user only; it is on disk when this returns. */
export function writeIdentity(dataDir: string, { agentId, privateKey, server, enrolledAt }: Identity): void {
  const path = identityPath(dataDir);
  const fields = {
    agent_id: agentId,
    private_key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    server,
    enrolled_at: enrolledAt.toISOString(),
  };
  writeWholeFile(path, `${JSON.stringify(fields, null, 2)}\n`);
}

/** The file of the key while an enrollment waits for the server's answer. */
function enrollingPath(dataDir: string): string {
  return join(dataDir, "enrolling.pem");
}

/** The key of an enrollment whose answer never came; undefined when there is none that can be used. */
export function readEnrollingKey(dataDir: string): KeyObject | undefined {
  try {
    return privateKeyOf(readBoundedFile(enrollingPath(dataDir), LARGEST_FILE));
  } catch {
    return undefined;
  }
}

/** Called before the server is asked: an agent that ends before it has the answer asks again with the same key, by which the server recognises it. */
export function writeEnrollingKey(dataDir: string, privateKey: KeyObject): void {
  writeWholeFile(enrollingPath(dataDir), privateKey.export({ format: "pem", type: "pkcs8" }).toString());
}

/** For the end of an enrollment: the next one makes its own key. */
export function forgetEnrollingKey(dataDir: string): void {
  try {
    rmSync(enrollingPath(dataDir), { force: true });
  } catch {
    // The next start tries again.
  }
}
