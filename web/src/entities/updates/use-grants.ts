import { useCapability } from "../../app/capability.ts";

interface InsightGrants {
  risk: boolean;
  cves: boolean;
  changelog: boolean;
  /** It is not known yet, and may be soon. */
  isAsked: boolean;
  /** The edition that grants what is missing. */
  edition: string;
}

/** Which of the facts beyond versions the edition in force shows. */
export function useInsightGrants(): InsightGrants {
  const capability = useCapability();
  const risk = capability("risk_scoring");
  const cves = capability("cve_enrichment");
  const changelog = capability("changelog");
  const { edition } = [risk, cves, changelog].find(({ isGranted }) => !isGranted) ?? risk;
  return { risk: risk.isGranted, cves: cves.isGranted, changelog: changelog.isGranted, isAsked: risk.isAsked, edition };
}
