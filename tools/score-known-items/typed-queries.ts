/** A query as people type it, and the pages of the site that answer it. */
export interface TypedQuery {
  readonly site: string;
  readonly query: string;
  readonly pages: readonly string[];
}

/** Written down with the sites' own tables of contents at hand, before any of them was searched. */
export const TYPED_QUERIES: readonly TypedQuery[] = [
  { site: 'git', query: 'git rebase --onto', pages: ['git-rebase.html'] },
  { site: 'git', query: 'git log --follow', pages: ['git-log.html'] },
  { site: 'git', query: 'git stash --keep-index', pages: ['git-stash.html'] },
  { site: 'git', query: 'cherry pick a comit', pages: ['git-cherry-pick.html'] },
  { site: 'git', query: 'git blame ignore revs', pages: ['git-blame.html'] },
  {
    site: 'postgresql',
    query: 'vacum analyze',
    pages: ['sql-vacuum.html', 'sql-analyze.html', 'routine-vacuuming.html'],
  },
  { site: 'postgresql', query: 'pg_stat_activity', pages: ['monitoring-stats.html'] },
  {
    site: 'postgresql',
    query: 'ERROR: could not serialize access due to concurrent update',
    pages: ['transaction-iso.html', 'mvcc-serialization-failure-handling.html'],
  },
  { site: 'postgresql', query: 'insert on conflict do update', pages: ['sql-insert.html'] },
  { site: 'postgresql', query: 'pg_dump --exclude-table', pages: ['app-pgdump.html'] },
  {
    site: 'python',
    query: 'dictionary comprehention',
    pages: ['tutorial/datastructures.html', 'reference/expressions.html'],
  },
  { site: 'python', query: 'os.path.join', pages: ['library/os.path.html'] },
  { site: 'python', query: 'asyncio.gather return_exceptions', pages: ['library/asyncio-task.html'] },
  { site: 'python', query: '__init__.py', pages: ['tutorial/modules.html', 'reference/import.html'] },
  {
    site: 'python',
    query: "UnicodeDecodeError: 'ascii' codec can't decode byte",
    pages: ['howto/unicode.html', 'library/exceptions.html', 'library/codecs.html'],
  },
  {
    site: 'django',
    query: 'select_related vs prefetch_related',
    pages: ['ref/models/querysets.html', 'topics/db/optimization.html'],
  },
  { site: 'django', query: 'csrf verification failed request aborted', pages: ['ref/csrf.html'] },
  { site: 'django', query: 'makemigrations --dry-run', pages: ['ref/django-admin.html'] },
  { site: 'sqlite', query: 'pragma journal_mode=wal', pages: ['pragma.html', 'wal.html'] },
  {
    site: 'sqlite',
    query: 'database is locked SQLITE_BUSY',
    pages: [
      'rescode.html',
      'c3ref/busy_handler.html',
      'c3ref/busy_timeout.html',
      'lockingv3.html',
      'unlock_notify.html',
    ],
  },
];
