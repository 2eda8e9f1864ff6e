import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { systemClock } from "../../platform/clock.ts";
import { createOutbound } from "../../platform/outbound.ts";
import { createS3Client } from "./s3-client.ts";

const SETTINGS = { region: "us-east-1", bucket: "backups", accessKey: "key", secretKey: "open-sesame" };

/** What becomes of a request that is answered with this status and nothing else. */
async function outcomeOf(status: number): Promise<{ outcome: string; requests: number }> {
  let requests = 0;
  const store = createServer((request, response) => {
    requests += 1;
    request.resume();
    response.writeHead(status).end();
  });
  await once(store.listen(0, "127.0.0.1"), "listening");
  const { port } = store.address() as AddressInfo;
  const outbound = createOutbound({ allowPrivate: true, clock: systemClock });
  const client = createS3Client({ ...SETTINGS, endpoint: `http://127.0.0.1:${port}` }, outbound, systemClock);
  const outcome = await client.request({ method: "PUT", key: "one", body: "x" }).then(
    () => "stored",
    (error: unknown) => String(error).replace(`:${port}`, ""),
  );
  outbound.stop();
  await new Promise((resolve) => store.close(resolve));
  return { outcome, requests };
}

describe("a request to an S3-compatible store", () => {
  for (const status of [200, 204, 299])
    it(`is done with ${status}`, async () => {
      assert.deepEqual(await outcomeOf(status), { outcome: "stored", requests: 1 });
    });

  for (const status of [300, 307, 400, 499])
    it(`is refused with ${status}, and not repeated`, async () => {
      assert.deepEqual(await outcomeOf(status), { outcome: `StartError: 127.0.0.1 answered ${status}, without a reason`, requests: 1 });
    });
});
