/**
 * Loaded into every process of tests before Node's test runner is. That hooks the begin and the end of each promise, to know by which test an error was
 * left behind, which makes promises thirty times as slow. It only gets tests and suites here: what they declare at once is theirs, and an error
 * that nobody awaits fails the files of the process (pack.ts prints it).
 */
import hooks from "node:async_hooks";

let begins: NonNullable<Parameters<typeof hooks.createHook>[0]["init"]> = () => undefined;
const hook: ReturnType<typeof hooks.createHook> = { enable: () => hook, disable: () => hook };

hooks.createHook = ({ init = begins }) => {
  begins = init;
  return hook;
};
hooks.AsyncResource = class extends hooks.AsyncResource {
  constructor(...given: ConstructorParameters<typeof hooks.AsyncResource>) {
    super(...given);
    begins(this.asyncId(), given[0], this.triggerAsyncId(), this);
  }
};
