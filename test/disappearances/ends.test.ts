import { goWays } from "./run.ts";

goWays("crash", "oom", "stop", "pause");
