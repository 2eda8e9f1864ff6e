import type { Config } from "../config/config.ts";
import { messageOf } from "../platform/errors.ts";
import { createCipher, isOpenToOthers, readKeyFile } from "../storage/secrets/index.ts";
import { inspectDatabase } from "./database.ts";
import type { Finding } from "./finding.ts";
import { bytesOf, keyPathOf } from "./open-secrets.ts";

/** Whether the key of the stored secrets is there, opens them, and is readable by this user alone. */
export async function secretFindings(config: Config, { isRunning }: { isRunning: boolean }): Promise<Finding[]> {
  const path = keyPathOf(config);
  const findings: Finding[] = [];
  if (config.secretKey === undefined && isOpenToOthers(path))
    findings.push({ verdict: "warn", text: `other users can read ${path}; run chmod 600 on it` });
  try {
    const key = bytesOf(config.secretKey) ?? readKeyFile(path);
    // The database of a program that is running cannot be read.
    const sealedWith = isRunning ? undefined : await sealedKeyIds(config);
    const keyFinding = judge({ key, path, previousKey: bytesOf(config.previousSecretKey), sealedWith });
    return keyFinding.verdict === "ok" && findings.length > 0 ? findings : [...findings, keyFinding];
  } catch (error) {
    return [...findings, { verdict: "fail", text: messageOf(error) }];
  }
}

/** Undefined where the database cannot be read: that is a finding of its own. */
async function sealedKeyIds(config: Config): Promise<readonly string[] | undefined> {
  try {
    return (await inspectDatabase(config)).sealedWith;
  } catch {
    return undefined;
  }
}

interface Facts {
  key: Buffer | undefined;
  path: string;
  previousKey: Buffer | undefined;
  /** Undefined when that is not known. */
  sealedWith: readonly string[] | undefined;
}

function judge({ key, path, previousKey, sealedWith }: Facts): Finding {
  const known = [key, previousKey].flatMap((each) => (each === undefined ? [] : createCipher(each).keyId));
  const isOther = sealedWith !== undefined && sealedWith.some((id) => !known.includes(id));
  if (isOther && key !== undefined)
    return {
      verdict: "fail",
      text: "the key does not open the secrets in the database. Put back secret.key, or give the key that they were sealed with as SERVICE_SECRET_KEY or SERVICE_OLD_SECRET_KEY.",
    };
  if (isOther)
    return {
      verdict: "fail",
      text: `${path} is missing, and the database holds secrets that were sealed with it. Put it back from a backup, or set SERVICE_SECRET_KEY.`,
    };
  if (key !== undefined) return { verdict: "ok", text: "the key is there, for this user alone" };
  if (sealedWith === undefined)
    return { verdict: "warn", text: `${path} is missing; without it the next start cannot open stored secrets` };
  return { verdict: "ok", text: "none are stored; the first start makes a key" };
}
