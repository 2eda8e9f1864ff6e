import assert from "node:assert/strict";
import { it } from "node:test";
import { connectError, errorToReport } from "./failure.ts";

it("a host of several addresses is judged by those that could be asked", () => {
  const errors = (...codes: string[]) => codes.map((code) => connectError({ host: "nas.test", port: 80 }, { code }));
  const reported = (...codes: string[]) => errorToReport(errors(...codes))?.message;
  const unreachable = "nas.test:80 cannot be reached: there is no route to the host.";
  assert.equal(reported("EADDRNOTAVAIL", "EHOSTUNREACH"), unreachable);
  assert.equal(reported("EHOSTUNREACH", "EADDRNOTAVAIL", "ECONNREFUSED"), unreachable);
  const [unasked] = errors("EADDRNOTAVAIL");
  assert.equal(unasked?.isOurs, true);
  assert.equal(reported("EADDRNOTAVAIL", "EMFILE"), unasked?.message);
});
