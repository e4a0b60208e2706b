import type { Fault } from '#lib/core/problem.ts';
import { exampleOf } from '../../../derive/example.ts';
import { words } from '../../format.ts';
import { html, type Html } from '../../html.ts';
import { pointerTo, ROWS_MAX, type Entries } from './entries.ts';
import type { Field, ScalarType } from './fields.ts';

/** The fewest rows that a form shows for a list of objects. One row more than the entered ones is always empty. */
const ROWS_SHOWN = 2;

/** The texts of a form, and the faults of its fields by the JSON pointer of their member. */
export type Filled = { readonly entries: Entries; readonly faults: readonly Fault[] };

/** Returns the fields of a form: the required ones, then the others in a part that opens if it has values or faults. */
export function fieldsView(fields: readonly Field[], filled: Filled): Html {
  const required = fields.filter(({ isRequired }) => isRequired);
  const others = fields.filter(({ isRequired }) => !isRequired);
  const isOpen = required.length === 0 || others.some((field) => isFilled(pointerTo('', field), filled));
  return html`${required.map((field) => fieldView(field, '', filled))}${
    others.length > 0 &&
    html`<details class="more-fields" ${isOpen && html`open`}>
      <summary>Optional fields (${others.length})</summary>
      <div class="fields">${others.map((field) => fieldView(field, '', filled))}</div>
    </details>`
  }`;
}

/** Returns the faults that have no field, and links to the fields that have one. */
export function faultsView(fields: readonly Field[], { faults }: Pick<Filled, 'faults'>): Html {
  if (faults.length === 0) return html``;
  const pointers = fields.map((field) => pointerTo('', field));
  return html`<ul class="faults">
    ${faults.map(({ pointer, message }) => {
      const top = pointers.find((each) => isWithin(pointer, each));
      const text = pointer === '' ? message : html`<code>${pointer}</code> ${message}`;
      return html`<li>${top === undefined ? text : html`<a href="#${idOf(top)}">${text}</a>`}</li>`;
    })}
  </ul>`;
}

function fieldView(field: Field, parent: string, filled: Filled): Html | false {
  const pointer = pointerTo(parent, field);
  switch (field.kind) {
    case 'constant':
      return false;
    case 'group':
      return groupView(
        field,
        pointer,
        filled,
        field.fields.map((each) => fieldView(each, pointer, filled)),
      );
    case 'rows':
      return groupView(field, pointer, filled, rowsView(field.fields, pointer, filled));
    case 'choices':
      return groupView(
        field,
        pointer,
        filled,
        html`<span class="checks">
          ${field.values.map((value, index) => {
            const name = `${pointer}/${index}`;
            const isChecked = filled.entries[name] !== undefined;
            return html`<label
              ><input type="checkbox" name="${name}" value="${value}" ${isChecked && html`checked`} />${words(
                String(value),
              )}</label
            >`;
          })}
        </span>`,
      );
    default:
      return singleView(field, pointer, filled);
  }
}

type Single = Extract<Field, { kind: 'scalar' | 'truth' | 'choice' | 'lines' | 'json' }>;

/** Returns one field with its label, its description and the faults of its member. */
function singleView(field: Single, pointer: string, filled: Filled): Html {
  const id = idOf(pointer);
  const faults = faultsAt(pointer, filled);
  const described = [
    ...(hintOf(field) === '' ? [] : [`${id}-hint`]),
    ...(faults.length ? [`${id}-fault`] : []),
  ];
  const attributes = html`id="${id}" name="${pointer}"
  ${
    described.length > 0 && html` aria-describedby="${described.join(' ')}"`
  }${faults.length > 0 && html` aria-invalid="true"`}${
    // A required member of an optional object is needed only if another member of the object has a value.
    field.isRequired && parentOf(pointer) === '' && html` required`
  }`;
  return html`<div class="field ${field.kind === 'json' && 'full'}">
    <label for="${id}">${labelOf(field)}</label>
    ${controlView(field, filled.entries[pointer] ?? '', attributes)}${descriptionView(field, id)}${faultView(id, faults)}
    ${
      field.kind === 'json' &&
      html`<details class="example">
        <summary>Example of ${words(field.member)}</summary>
        <pre tabindex="0"><code>${JSON.stringify(exampleOf(field.schema), null, 2)}</code></pre>
      </details>`
    }
  </div>`;
}

function controlView(field: Single, text: string, attributes: Html): Html {
  switch (field.kind) {
    case 'scalar':
      return html`<input
        ${attributes}
        type="text"
        value="${text}"
        ${modeOf(field.type)}
        autocomplete="off"
      />`;
    case 'truth':
      return selectView(['true', 'false'], text, attributes);
    case 'choice':
      return selectView(field.values.map(String), text, attributes);
    case 'lines':
      return html`<textarea ${attributes} rows="3" placeholder="One value a line">
${linesOf(text)}</textarea>`;
    case 'json':
      return html`<textarea ${attributes} class="mono" rows="8" spellcheck="false" placeholder="JSON">
${linesOf(text)}</textarea>`;
  }
}

function selectView(values: readonly string[], chosen: string, attributes: Html): Html {
  return html`<select ${attributes}>
    <option value="">–</option>
    ${values.map(
      (value) => html`<option value="${value}" ${value === chosen && html`selected`}>${value}</option>`,
    )}
  </select>`;
}

function groupView(
  field: Field,
  pointer: string,
  filled: Filled,
  inside: Html | readonly (Html | false)[],
): Html {
  const id = idOf(pointer);
  const faults = faultsAt(pointer, filled);
  return html`<fieldset class="group" id="${id}" tabindex="-1">
    <legend>${labelOf(field)}</legend>
    ${descriptionView(field, id)}${faultView(id, faults)}
    <div class="fields">${inside}</div>
  </fieldset>`;
}

function rowsView(fields: readonly Field[], pointer: string, filled: Filled): Html {
  const last = Object.keys(filled.entries)
    .filter((name) => isWithin(name, pointer) && filled.entries[name] !== '')
    .map((name) => Number(name.slice(pointer.length + 1).split('/')[0]))
    .reduce((most, index) => Math.max(most, index), -1);
  const count = Math.min(ROWS_MAX, Math.max(ROWS_SHOWN, last + 2));
  const rows = Array.from({ length: count }, (_, index) => `${pointer}/${index}`);
  return html`${rows.map(
    (row, index) =>
      html`<fieldset class="row-fields" id="${idOf(row)}">
        <legend>Row ${index + 1}</legend>
        ${faultView(idOf(row), faultsAt(row, filled))}
        <div class="fields">
          ${fields.map((field) => fieldView({ ...field, isRequired: false }, row, filled))}
        </div>
      </fieldset>`,
  )}`;
}

function descriptionView(field: Field, id: string): Html | false {
  const hint = hintOf(field);
  return hint !== '' && html`<p class="hint" id="${id}-hint">${withCode(hint)}</p>`;
}

/** Returns a text of a schema, in which backticks enclose code. */
function withCode(text: string): (Html | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Returns the description of a field, with its preset unless the description names a default. */
function hintOf({ description, preset }: Field): string {
  const isShort = preset !== undefined && typeof preset !== 'object';
  const names = /\bdefault/i.test(description);
  return [description, ...(isShort && !names ? [`Default: ${String(preset)}.`] : [])]
    .filter(Boolean)
    .join(' ');
}

function faultView(id: string, faults: readonly Fault[]): Html | false {
  return (
    faults.length > 0 &&
    html`<p class="field-fault" id="${id}-fault">${faults.map(({ message }) => message).join('; ')}</p>`
  );
}

/** Returns the faults of a member. The faults inside a value that has no fields of its own belong to its field. */
function faultsAt(pointer: string, { faults }: Filled): Fault[] {
  return faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
}

function isFilled(pointer: string, { entries, faults }: Filled): boolean {
  const isEntered = Object.keys(entries).some((name) => entries[name] !== '' && isWithin(name, pointer));
  return isEntered || faults.some((fault) => isWithin(fault.pointer, pointer));
}

function isWithin(pointer: string, whole: string): boolean {
  return `${pointer}/`.startsWith(`${whole}/`);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

/** Returns the id of the field of a member. */
function idOf(pointer: string): string {
  return `f${pointer.replaceAll(/[^A-Za-z0-9_-]/g, '-')}`;
}

function labelOf({ member, isRequired }: Field): Html {
  const label = words(member);
  return html`${label[0]!.toUpperCase() + label.slice(1)}${!isRequired && html` <span class="dim">optional</span>`}`;
}

function modeOf(type: ScalarType): Html | false {
  if (type === 'string') return false;
  return html`inputmode="${type === 'integer' ? 'numeric' : 'decimal'}"`;
}

/** Browsers drop one line break at the start of a text area, so a text that begins with one gets another. */
function linesOf(text: string): string {
  return text.startsWith('\n') ? `\n${text}` : text;
}
