import { runScenarios } from "./run.ts";

runScenarios("engineDeath", "engineDeathAndRestart", "hostReboot", "cutOff", "healed");
