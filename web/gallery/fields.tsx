import { useState } from "react";
import { Field, INPUT_CLASS, TextInput } from "../src/ui/field.tsx";
import { CheckBox } from "../src/ui/forms/check-box.tsx";
import { ManyPicker, type Option } from "../src/ui/forms/many-picker.tsx";
import { TagInput } from "../src/ui/forms/tag-input.tsx";
import { ToggleChips } from "../src/ui/forms/toggle-chips.tsx";
import { ARABIC, ignore, LONG, RIGHT_TO_LEFT } from "./samples.ts";
import { Shelf, Specimen } from "./specimen.tsx";

const MANY: readonly Option[] = Array.from({ length: 200 }, (_, index) => ({
  value: String(index),
  label: index === 1 ? LONG : index === 2 ? RIGHT_TO_LEFT : `service-${index}`,
  note: index % 3 === 0 ? "shop" : undefined,
}));
const SEVERITIES = [
  { value: "critical", label: "Critical" },
  { value: "warning", label: "Warning" },
  { value: "info", label: "Info" },
] as const;

/** What is filled in. */
export function FieldShelves() {
  const [values, setValues] = useState<string[]>(["1", "2", "6"]);
  const [tags, setTags] = useState<string[]>(["shop", LONG, ARABIC]);
  const [severities, setSeverities] = useState<("critical" | "warning" | "info")[]>(["critical"]);
  const [isOn, setIsOn] = useState(true);
  return (
    <Shelf title="Fields">
      <Specimen state="Empty, required, with a fault, unavailable, native">
        <div className="grid gap-4 md:grid-cols-3">
          <Field label="Name" hint="Defaults to the target">
            {(control) => <TextInput {...control} placeholder="shop" />}
          </Field>
          <Field label="Address" isRequired>
            {(control) => <TextInput {...control} defaultValue={LONG} />}
          </Field>
          <Field label="Interval" fault="Must be at least 5 seconds">
            {(control) => <TextInput {...control} defaultValue="1" />}
          </Field>
          <Field label="Unavailable">{(control) => <TextInput {...control} disabled defaultValue="fixed by a label" />}</Field>
          <Field label={RIGHT_TO_LEFT} hint={ARABIC}>
            {(control) => (
              <select {...control} className={INPUT_CLASS}>
                <option>{ARABIC}</option>
              </select>
            )}
          </Field>
        </div>
      </Specimen>
      <Specimen state="On, off, with a hint">
        <CheckBox label="Notify on resolve" checked={isOn} onChange={setIsOn} />
        <CheckBox
          label="Fail on untrusted certificates"
          hint="Self-signed certificates count as untrusted"
          checked={!isOn}
          onChange={ignore}
        />
      </Specimen>
      <Specimen state="Few choices: some chosen, with a fault">
        <div className="grid gap-4 md:grid-cols-2">
          <ToggleChips
            label="Severities"
            hint="Any of these; empty matches all"
            choices={SEVERITIES}
            values={severities}
            onChange={setSeverities}
          />
          <ToggleChips label="Severities again" hint="" fault="Choose at least one" choices={SEVERITIES} values={[]} onChange={ignore} />
        </div>
      </Specimen>
      <Specimen state="Many choices: none, some, single with a fault">
        <div className="grid gap-4 md:grid-cols-3">
          <ManyPicker label="No containers" placeholder="Any container" none="No results" options={[]} values={[]} onChange={ignore} />
          <ManyPicker
            label="Containers"
            placeholder="Any container"
            none="No results"
            options={MANY}
            values={values}
            onChange={setValues}
          />
          <ManyPicker
            label="Container"
            placeholder="Choose"
            none="No results"
            options={MANY}
            values={["gone"]}
            nameOf={(value) => `${value} (deleted)`}
            fault="It was deleted"
            single
            onChange={ignore}
          />
        </div>
      </Specimen>
      <Specimen state="Tags: none, some, with a fault">
        <div className="grid gap-4 md:grid-cols-3">
          <TagInput label="No tags" hint="Comma-separated" placeholder="shop" values={[]} onChange={ignore} />
          <TagInput label="Tags" hint="Comma-separated" values={tags} onChange={setTags} />
          <TagInput label="Bad tags" hint="" fault="Tags have at most 64 characters" values={["x".repeat(65)]} onChange={ignore} />
        </div>
      </Specimen>
    </Shelf>
  );
}
