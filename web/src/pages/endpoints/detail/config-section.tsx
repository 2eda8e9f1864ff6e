import { Link } from "@tanstack/react-router";
import {
  CHECK_SETTINGS,
  type CheckSetting,
  HTTP_SETTINGS,
  type NamedSettingsOf,
  type SettingTable,
} from "../../../../../src/contract/check-settings.ts";
import type { EndpointDetail } from "../../../../../src/monitoring/endpoints/answers.ts";
import { countOf } from "../../../format/number.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** How the endpoint is checked, and where that is defined. */
export function ConfigSection({ endpoint }: { endpoint: EndpointDetail }) {
  const { config, label_key: label, container_id, container_name, service_id, target, certificate } = endpoint;
  const headers = Object.keys(config.headers ?? {});
  return (
    <Section title="Configuration" aside={label === null ? "Added manually" : "Set by label"}>
      {label !== null && (
        <div className="flex flex-col gap-2 pt-3 text-ink-2">
          <p>
            A label of{" "}
            {service_id !== null && (
              <>
                service{" "}
                <Link to="/swarm/services/$id" params={{ id: service_id }} className="underline underline-offset-2 hover:text-ink">
                  <bdi>{endpoint.service_name}</bdi>
                </Link>
              </>
            )}
            {service_id === null && container_id === null && <bdi>{container_name}</bdi>}
            {container_id !== null && (
              <Link to="/containers/$id" params={{ id: container_id }} className="underline underline-offset-2 hover:text-ink">
                <bdi>{container_name}</bdi>
              </Link>
            )}{" "}
            defines this check. To change it, edit the label and {service_id === null ? "recreate the container" : "update the service"}.
          </p>
          <CommandLine command={`${label}=${target}`} />
        </div>
      )}
      <Facts>
        <Fact name="Target">{target}</Fact>
        <Fact name="Interval">{countOf(config.interval_seconds, "second")}</Fact>
        <Fact name="Timeout">{countOf(config.timeout_seconds, "second")}</Fact>
        <SettingFacts table={CHECK_SETTINGS} values={config} />
        {config.method !== null && (
          <>
            <Fact name="Method">{config.method}</Fact>
            <Fact name="Expected status">{config.expected_status?.join(", ")}</Fact>
            <SettingFacts table={HTTP_SETTINGS} values={config} />
          </>
        )}
        {headers.length > 0 && (
          <Fact name="Headers">
            {headers.map((name) => (
              <div key={name}>
                {name}: <span className="text-ink-3">{config.headers?.[name]}</span>
              </div>
            ))}
          </Fact>
        )}
        {certificate !== null && (
          <Fact name="Certificate">
            {certificate.trusted ? "trusted" : "not trusted"}
            {certificate.expires_at !== null && (
              <>
                , expires <Timestamp at={certificate.expires_at} precision="minute" />
              </>
            )}
          </Fact>
        )}
        {endpoint.key !== null && <Fact name="Bulk key">{endpoint.key}</Fact>}
        <Fact name="Checked since">
          <Timestamp at={endpoint.created_at} precision="minute" />
        </Fact>
      </Facts>
    </Section>
  );
}

/** The settings of a table that have a value. */
function SettingFacts<Table extends SettingTable>({ table, values }: { table: Table; values: NamedSettingsOf<Table, null> }) {
  const named: Readonly<Record<string, number | boolean | string | null>> = values;
  return Object.values(table).map((setting) => {
    const value = named[setting.name];
    if (value === undefined || value === null) return null;
    return (
      <Fact key={setting.name} name={setting.title}>
        {settingWords(setting, value)}
      </Fact>
    );
  });
}

function settingWords(setting: CheckSetting, value: number | boolean | string): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (setting.kind !== "number" || typeof value === "string") return String(value);
  return value === 0 && setting.zero !== undefined ? setting.zero : countOf(value, setting.one, setting.hint);
}
