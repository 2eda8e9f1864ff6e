import type { Config } from "../config/config.ts";
import type { Clock } from "../platform/clock.ts";
import { detectRuntime } from "../runtimes/detect.ts";
import type { Runtime } from "../runtimes/runtime.ts";

/** The runtime of this host, as the configuration says or as it is found. */
export function openRuntime({ docker, runtime, hostProc }: Config, clock: Clock): Runtime {
  return detectRuntime(
    {
      dockerHost: docker.host,
      certPath: docker.certPath,
      tlsVerify: docker.tlsVerify,
      xdgRuntimeDir: docker.runtimeDir,
      home: docker.home,
      hostProc,
      runtime: runtime === "auto" ? undefined : runtime,
    },
    clock,
  );
}
