import type { RiskPart } from "../../src/monitoring/updates/answers.ts";
import type { WholeServer } from "./whole-server.ts";

/** How the risk of the only container counts what it exposes. What is excluded has a risk without asking a registry. */
export async function exposureOfOnly({ ask }: Pick<WholeServer, "ask">): Promise<string> {
  await ask("POST", "/api/v1/updates/exclusions", { image: "*" });
  const { updates } = (await ask("GET", "/api/v1/updates")).body as { updates: { risk_parts: RiskPart[] }[] };
  const part = updates[0]?.risk_parts.find(({ name }) => name === "exposure");
  return `${part?.points}${part?.known === true ? "" : " or more"}: ${part?.why}`;
}
