import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createS3Client, type S3Client, type S3Settings } from "../../src/app/backups/s3-client.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createOutbound } from "../../src/platform/outbound.ts";

/** Debian's OpenStack Swift with its S3 interface, which verifies signatures, on loopback. */
export interface S3Server extends S3Settings {
  /** What was stored by whom does not matter; the bucket is there. */
  client: S3Client;
  stop(): Promise<void>;
}

const SETTINGS = { region: "us-east-1", bucket: "backups", accessKey: "test:tester", secretKey: "open-sesame" };

export async function startS3Server(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), "binnacle-s3-"));
  const program = join(import.meta.dirname, "s3-server.py");
  const child = spawn("/usr/bin/python3", [program, folder, SETTINGS.accessKey, SETTINGS.secretKey], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
  const exited = once(child, "exit");
  const [port] = (await Promise.race([once(createInterface(child.stdout), "line"), exited])) as [unknown];
  const settings = { ...SETTINGS, endpoint: `http://127.0.0.1:${String(port)}` };
  const client = createS3Client(settings, outbound, systemClock);
  await client.request({ method: "PUT" });
  return {
    ...settings,
    client,
    async stop() {
      outbound.stop();
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
