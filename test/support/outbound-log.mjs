// Preloaded into a program under test: says on its error output what it connects to, and which names it looks up.
import diagnostics from "node:diagnostics_channel";
import dns from "node:dns";
import { Socket } from "node:net";
import { writeSync } from "node:fs";

const report = (what) => writeSync(2, `OUTBOUND ${what}\n`);
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [first] = args.flat();
  report(`connect ${typeof first === "object" ? (first.path ?? `${first.host}:${first.port}`) : args.join(" ")}`);
  return connect.apply(this, args);
};
for (const of of [dns, dns.promises])
  for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) {
    const original = of[name];
    of[name] = (...args) => {
      report(`${name} ${args[0]}`);
      return original.apply(of, args);
    };
  }
diagnostics.subscribe("undici:request:create", ({ request }) => report(`fetch ${request.origin}${request.path}`));
