import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "../../test/support/program.ts";
import { StartError } from "../platform/errors.ts";
import { openTrust } from "./open-trust.ts";

describe("SERVICE_CA_CERT", () => {
  const folder = temporaryFolder();
  const refused: [what: string, path: string, reason: RegExp][] = [
    ["a file that is not there", join(folder, "missing.pem"), /missing\.pem of SERVICE_CA_CERT cannot be used: .*no such file/],
    ["a file without a certificate", join(folder, "empty.pem"), /has no certificate in PEM form/],
    ["a folder", folder, /cannot be used/],
  ];
  writeFileSync(join(folder, "empty.pem"), "no certificate\n");
  for (const [what, caCert, reason] of refused)
    it(`refuses ${what}`, () =>
      assert.throws(
        () => openTrust({ caCert }),
        (error) => error instanceof StartError && reason.test(error.message),
      ));
  it("is not needed", () => assert.ok(openTrust({ caCert: undefined })));
});
