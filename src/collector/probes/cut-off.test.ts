import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CutOffEvidence, isCutOff } from "./cut-off.ts";

/** The cable is out: nothing answers, and there is no interface. */
const cableOut: CutOffEvidence = {
  failureClass: "connect",
  answeredLately: true,
  isNear: false,
  interfaceUp: false,
  defaultRoute: false,
  others: { tried: 3, reached: 0 },
  names: { tried: 3, answered: 0 },
};
const allWell = { interfaceUp: true, defaultRoute: true, others: { tried: 3, reached: 3 }, names: { tried: 3, answered: 3 } };
const resolverDown = { ...allWell, names: { tried: 2, answered: 0 } };
const noOthers = { others: { tried: 0, reached: 0 }, names: { tried: 0, answered: 0 } };

describe("the self-check", () => {
  const rows: [string, Partial<CutOffEvidence>, boolean][] = [
    ["the cable is out", {}, true],
    ["the cable is out, and it shows as timeouts", { failureClass: "timeout" }, true],
    ["the cable is out, and it shows as names not found", { failureClass: "dns" }, true],
    ["there is no default route", { interfaceUp: true }, true],
    ["there is no interface, and routes cannot be read", { defaultRoute: null }, true],
    ["the resolver is down, and the endpoint has a name", { ...resolverDown, failureClass: "dns" }, true],
    ["the resolver is down, and the endpoint was connected to in vain", resolverDown, false],
    ["the network beyond the interface is dead, so that the resolver is too", { interfaceUp: true, defaultRoute: true }, true],
    [
      "the network is dead, but only addresses are known",
      { interfaceUp: true, defaultRoute: true, names: { tried: 0, answered: 0 } },
      false,
    ],
    ["one endpoint is broken and all others are well", allWell, false],
    ["one name is broken and all others are found", { ...allWell, failureClass: "dns" }, false],
    ["one other host answers", { others: { tried: 3, reached: 1 } }, false],
    ["one other name is answered, and there is no route", { names: { tried: 3, answered: 1 } }, true],
    ["there is no route by default, but others answer", { ...allWell, defaultRoute: false }, false],
    ["it is the only endpoint", noOthers, false],
    ["it is the only name, and is not found", { ...noOthers, failureClass: "dns" }, false],
    ["it is near", { isNear: true }, false],
    ["it never answered", { answeredLately: false }, false],
    ["it answered wrongly", { failureClass: "http" }, false],
    ["its certificate is refused", { failureClass: "tls" }, false],
    ["its body is wrong", { failureClass: "assertion" }, false],
    ["it succeeded", { failureClass: null }, false],
  ];
  for (const [when, evidence, excused] of rows) {
    it(`${excused ? "excuses" : "does not excuse"} a failure when ${when}`, () =>
      assert.equal(isCutOff({ ...cableOut, ...evidence }), excused));
  }
});
