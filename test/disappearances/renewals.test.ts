import { runScenarios } from "./run.ts";

runScenarios("removedLately", "removal", "recreated", "upgraded", "clockForward", "clockBack");
