import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldRule } from '../../../src/contracts/content/extraction-rules.ts';
import { columnsOfSet } from '../../../src/export/tables/row-columns.ts';

const field = (name: string, rest: Partial<FieldRule> = {}): FieldRule => ({
  ...{ name, take: 'text', many: false, type: 'text', trim: true, required: false },
  ...rest,
});
const row = { cursor: '1', set: 's', url: 'https://a.example/', at: 1, firstSeen: 1, changedAt: 1 };

test('a field named like a column about the row gets a name of its own, in whatever case', () => {
  const names = columnsOfSet({ name: 's', fields: [field('URL'), field('price')] }).map(({ name }) => name);
  assert.deepEqual(names.slice(-2), ['fields.URL', 'price']);
  assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
});

test('rows of earlier rules fit the columns of now', () => {
  const fields = [field('tags', { many: true }), field('price', { type: 'number' })];
  const [tags, price] = columnsOfSet({ name: 's', fields }).slice(-2);
  assert.deepEqual([tags.type, price.type], ['texts', 'real']);
  assert.deepEqual(tags.value({ ...row, fields: { tags: 7 } }), ['7']);
  assert.equal(price.value({ ...row, fields: { price: [1.5, 2] } }), 1.5);
  assert.equal(price.value({ ...row, fields: { price: null } }), undefined);
});
