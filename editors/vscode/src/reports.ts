// Reports in Markdown, from what `msl-analyzer inspect --format json` and `migrate --format json` print.
// Lines and columns there count from 1, columns in bytes.

export interface Place {
  path: string;
  range: { start: { line: number; column: number; offset: number }; end: { line: number; column: number; offset: number } };
}

/** What is known about a name, or about an access through a pointer. */
export interface Inspected extends Place {
  text: string;
  kind: string | null;
  type: string | null;
  space: string | null;
  storage: string | null;
  inferred?: string[];
  resolution: string | null;
  contexts: { caller: Place; inferred: string[] }[];
  origins: (Place & { message: string })[];
  loops: { range: Place['range']; depth: number; tripCount: number | null }[];
  std: string;
  stdSource: string;
}

export interface Finding extends Place {
  severity: string;
  code: string;
  message: string;
}

export interface Migration {
  findings: Finding[];
  edits: (Place & { newText: string })[];
  remaining: Finding[];
}

const costs: Record<string, string> = {
  runtime: 'the address is tested at run time, at each access',
  'per-call': 'one space in each call: code is compiled for each, without a branch',
  static: 'the same space in every call: nothing is paid',
  concrete: 'the space is declared: nothing is paid',
};

/** A link that the preview of Markdown opens at the line. */
function link(place: Place): string {
  const { line, column } = place.range.start;
  const url = encodeURI(`file://${place.path.startsWith('/') ? '' : '/'}${place.path.replaceAll('\\', '/')}`);
  return `[${line}:${column}](${url}#L${line},${column})`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replaceAll('|', '¦')}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** What is known about the spaces of one name; undefined if it has none. */
export function explainSpaces(one: Inspected): string | undefined {
  if (one.kind === null || (one.space === null && one.storage === null)) {
    return undefined;
  }
  const lines = [`# ${code(one.text)}`, '', `${one.kind} of type ${code(one.type ?? 'unknown')}, under ${code(one.std)} (${one.stdSource})`, ''];
  if (one.space === 'generic') {
    const spaces = one.inferred ?? [];
    lines.push(`* Leads to **generic** memory: no space is declared.`);
    lines.push(spaces.length > 0 ? `* Inferred: ${spaces.map(code).join(', ')}.` : '* Inferred: nothing, it is null, or nobody calls this.');
  } else if (one.space !== null) {
    lines.push(`* Leads to **${one.space}** memory.`);
  }
  if (one.storage !== null) {
    lines.push(`* Lies in ${one.storage} memory.`);
  }
  if (one.resolution !== null) {
    lines.push(`* Resolution **${one.resolution}**: ${costs[one.resolution] ?? ''}.`);
  }
  if (one.origins.length > 0) {
    lines.push('', '## Where it comes from', '', ...one.origins.map((origin) => `1. ${link(origin)} ${origin.message}`));
  }
  if (one.contexts.length > 0) {
    lines.push('', '## Callers', '', ...one.contexts.map(({ caller, inferred }) => `* ${link(caller)} ${inferred.map(code).join(', ')}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Every access through a generic pointer, the most expensive first. */
export function flowReport(name: string, all: Inspected[]): string {
  const accesses = all.filter((one) => one.space === 'generic' && one.resolution !== null);
  const lines = [`# Address-space flow of ${name}`, ''];
  if (accesses.length === 0) {
    lines.push('No access goes through a generic pointer.');
  }
  for (const resolution of ['runtime', 'per-call', 'static']) {
    const these = accesses.filter((one) => one.resolution === resolution);
    if (these.length === 0) {
      continue;
    }
    // The deepest loops first, then as in the text.
    these.sort((a, b) => b.loops.length - a.loops.length || a.range.start.offset - b.range.start.offset);
    lines.push(`## ${resolution}: ${these.length}`, '', `${costs[resolution]}.`, '', '| place | pointer | leads to | loops | comes from |', '| --- | --- | --- | --- | --- |');
    for (const one of these) {
      const loops = one.loops.map(({ tripCount }) => (tripCount === null ? '×?' : `×${tripCount}`)).join(' ');
      const origin = one.origins.map((step) => `${link(step)} ${cell(step.message)}`).join('; ');
      lines.push(`| ${link(one)} | ${code(one.text)} | ${(one.inferred ?? []).join(', ')} | ${loops} | ${origin} |`);
    }
    lines.push('');
  }
  return `${lines.join('\n')}\n`;
}

export function migrationReport(to: string, migration: Migration, relative: (path: string) => string): string {
  const lines = [`# Migration to ${to}`, ''];
  const list = (findings: Finding[]): string[] =>
    findings.map((one) => `* ${relative(one.path)} ${link(one)} ${one.message} (${code(one.code)})`);
  const files = new Set(migration.edits.map(({ path }) => path));
  lines.push(
    migration.edits.length === 0
      ? 'There is nothing to edit.'
      : `${migration.edits.length} edits in ${files.size} files make the code compile and mean the same under both versions.`,
  );
  if (migration.remaining.length > 0) {
    lines.push('', `## Left for you: ${migration.remaining.length}`, '', ...list(migration.remaining));
  }
  if (migration.findings.length > 0) {
    lines.push('', `## Findings: ${migration.findings.length}`, '', ...list(migration.findings));
  }
  return `${lines.join('\n')}\n`;
}
