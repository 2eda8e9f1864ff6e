import { goWays } from "./run.ts";

goWays("removedLately", "removal", "recreated", "upgraded", "clockForward", "clockBack");
