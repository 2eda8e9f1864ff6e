export { type Risk, riskOf } from "./risk.ts";
