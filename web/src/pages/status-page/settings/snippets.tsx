import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SettingsRecord } from "../../../../../src/publishing/status/settings/answers.ts";
import { componentsQuery } from "../../../api/status-components.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Field, INPUT_CLASS } from "../../../ui/field.tsx";
import { Section } from "../../../ui/section.tsx";
import { badgeSnippets, embedSnippet } from "./snippet-text.ts";

/** What other pages show of the status, to copy. */
export function Snippets({ settings }: { settings: SettingsRecord }) {
  const { data } = useQuery(componentsQuery);
  const [chosen, setChosen] = useState("");
  const shown = data?.components.filter(({ visible }) => visible) ?? [];
  const component = shown.find(({ id }) => String(id) === chosen);
  const path = component === undefined ? "badge.svg" : `badge/${component.id}.svg`;
  const name = component?.name ?? settings.title;
  const url = settings.public_url;
  return (
    <>
      <Section title="Addresses">
        <div className="flex flex-col gap-2 py-3">
          {[
            ["The page", url],
            ["JSON", new URL("/status/api", url).href],
            ["Incident feed (Atom)", new URL("/status/feed.atom", url).href],
          ].map(([what, address]) => (
            <div key={what}>
              <p className="mb-1 text-xs font-medium text-ink-2">{what}</p>
              <CommandLine command={address ?? ""} />
            </div>
          ))}
        </div>
      </Section>
      <Section title="Badges">
        <div className="flex flex-col gap-2 py-3">
          <div className="flex flex-wrap items-center gap-x-4">
            <div className="w-64 max-sm:w-full">
              <Field label="Shows">
                {(control) => (
                  <select {...control} className={INPUT_CLASS} value={chosen} onChange={(event) => setChosen(event.target.value)}>
                    <option value="">The whole page</option>
                    {shown.map(({ id, name: own }) => (
                      <option key={id} value={id}>
                        {own}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
            </div>
            {settings.published && <img key={path} src={`/status/${path}`} alt={`Badge of ${name}`} className="h-5" />}
          </div>
          {badgeSnippets(url, { path, name }).map((snippet) => (
            <div key={snippet.name}>
              <p className="mb-1 text-xs font-medium text-ink-2">{snippet.name}</p>
              <CommandLine command={snippet.code} />
            </div>
          ))}
        </div>
      </Section>
      <Section title="Embed">
        <div className="py-3">
          <CommandLine command={embedSnippet(url, settings.title)} />
          <p className="mt-2 text-sm text-ink-2">The status page can be embedded on any site. The rest of this server cannot.</p>
        </div>
      </Section>
    </>
  );
}
