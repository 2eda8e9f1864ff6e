import { runScenarios } from "./run.ts";

runScenarios("serverRestart", "databaseGone", "diskFull");
