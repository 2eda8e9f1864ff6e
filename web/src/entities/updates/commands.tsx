import type { UpdateRecord } from "../../../../src/monitoring/updates/api.ts";
import { Section } from "../../ui/section.tsx";
import { Script } from "./script.tsx";

type Command = NonNullable<UpdateRecord["update_command"]>;

/** How to update and how to go back: to copy, since this program changes nothing on a host. */
export function Commands({ update: { update_command, rollback_command, comparison } }: { update: UpdateRecord }) {
  if (update_command === null && (rollback_command === null || comparison === null)) return null;
  const isSameNote = rollback_command?.note === update_command?.note;
  const back = update_command === null ? `Back to ${comparison?.previous_image}` : "Roll back to the current version";
  return (
    <Section title="Commands" aside="run on the host">
      {update_command !== null && <OneCommand name="Update" command={isSameNote ? { ...update_command, note: null } : update_command} />}
      {rollback_command !== null && <OneCommand name={back} command={rollback_command} />}
    </Section>
  );
}

function OneCommand({ name, command: { text, note } }: { name: string; command: Command }) {
  return (
    <div className="pt-3">
      <h3 className="pb-1 text-xs font-medium text-ink-2">{name}</h3>
      <Script text={text} />
      {note !== null && (
        <p dir="auto" className="mt-1.5 max-w-[84ch] text-sm wrap-anywhere text-ink-2">
          {note}
        </p>
      )}
    </div>
  );
}
