import { goWays } from "./run.ts";

goWays("engineDeath", "engineDeathAndRestart", "hostReboot", "cutOff", "healed");
