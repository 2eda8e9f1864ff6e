import { runScenarios } from "./run.ts";

runScenarios("crash", "oom", "stop", "pause");
