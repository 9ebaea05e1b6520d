/**
 * What `files-safe` leaves out, by name; docs/files.md lists it. Names in lower case: some systems do not tell case apart, and a
 * key is one however it is written.
 */

/** Folders at any depth. */
const FOLDERS: ReadonlySet<string> = new Set([
  // version control
  ...['.git', '.hg', '.svn', '.bzr', '.jj', 'cvs', '_darcs'],
  // installed packages, caches, what programs make of programs
  ...['node_modules', 'bower_components', '__pycache__', '.venv', '.tox', '.mypy_cache', '.pytest_cache', '.cache'],
  ...['.npm', '.yarn', '.pnpm-store', '.gradle', '.m2', '.cargo', '.rustup', '.terraform', '.direnv', '.bundle'],
  // keys and secrets
  ...['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.password-store', '.gcloud', 'gcloud', '.vault'],
  ...['keyrings', 'keychains', '.pki', '.local-keyring', 'kwalletd', '1password', 'bitwarden', 'keepassxc'],
  ...['gh', 'rclone', '.bitcoin', '.electrum'],
  // browser profiles
  ...['.mozilla', 'firefox', '.librewolf', 'google-chrome', 'chromium', 'bravesoftware', 'microsoft-edge', 'vivaldi'],
  ...['user data', 'opera software', 'google-chrome-beta', 'google-chrome-unstable', 'safari'],
  // mail and messages
  ...['.thunderbird', 'thunderbird', 'maildir', '.maildir', '.mail', 'evolution', 'kmail', 'mutt', 'outlook files'],
  ...['apple mail', 'messages', 'signal', 'telegram desktop', 'telegramdesktop', '.purple'],
  // rubbish
  ...['.trash', '.trashes', '.trash-1000', '$recycle.bin', 'lost+found', '.spotlight-v100', '.fseventsd'],
]);

/** Files, by their whole name. */
const FILES: ReadonlySet<string> = new Set([
  ...['authorized_keys', 'known_hosts', 'kubeconfig', 'wg0.conf', 'opasswd', 'terraform.tfvars', '.vault-token'],
  ...['.authinfo', '.s3cfg', '.dockercfg', '.msmtprc', '.fetchmailrc', '.xauthority', 'fish_history', 'local state'],
  ...['consolehost_history.txt', 'cookies.txt', 'secrets.yaml', 'secrets.yml', 'secrets.json'],
  ...['.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.my.cnf', '.htpasswd', 'htpasswd', 'shadow', 'gshadow'],
  ...['.git-credentials', 'credentials', 'credentials.json', 'client_secret.json', 'service-account.json'],
  ...['.bash_history', '.zsh_history', '.python_history', '.psql_history', '.mysql_history', '.node_repl_history'],
  ...['cookies', 'cookies.sqlite', 'login data', 'logins.json', 'key3.db', 'key4.db', 'web data', 'wallet.dat'],
  ...['secring.gpg', 'pubring.kbx', 'trustdb.gpg', 'ntuser.dat', 'thumbs.db', 'desktop.ini', '.ds_store'],
]);

/** Files, by how their names end. */
const ENDINGS: readonly string[] = [
  // keys, certificates with keys, password stores, wallets
  ...['.pem', '.key', '.p12', '.pfx', '.p8', '.jks', '.keystore', '.ppk', '.asc', '.gpg', '.pgp', '.kdbx', '.kdb'],
  ...['.psafe3', '.agilekeychain', '.1pif', '.keychain', '.keychain-db', '.wallet', '.ovpn', '.rdp', '.tfstate'],
  ...['.nmconnection', '.env', '.tfvars'],
  // mail stores
  ...['.pst', '.ost', '.mbox', '.mbx', '.dbx', '.msf', '.nsf', '.eml', '.emlx', '.emlxpart'],
  // not done yet, or kept by a program beside the file itself
  ...['.part', '.partial', '.crdownload', '.download', '.opdownload', '.tmp', '.temp', '.swp', '.swo', '.swx', '~'],
  ...['.lock', '.bak~', '.db-wal', '.db-shm', '.db-journal', '.sqlite-wal', '.sqlite-shm', '.sqlite-journal'],
];

const BEGINNINGS: readonly string[] = [
  ...['~$', '.#', '._', '.~lock.', '.env'],
  ...['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'ssh_host_'],
];

/** A copy of a key is a key. */
const COPIES = /(?:\.(?:bak|backup|old|orig|save|copy)|-)$/;

/** What the system itself shows as files. */
const SYSTEM_FOLDERS: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev', '/run', '/var/run', '/var/lib/docker']);

/** Why a folder or a file of this name is left out; undefined where it is not. */
export function safeExclude(name: string, kind: 'file' | 'folder', path: string): string | undefined {
  const lower = name.toLowerCase().replace(COPIES, '');
  if (kind === 'folder') {
    if (SYSTEM_FOLDERS.has(path)) return `files-safe: ${path} belongs to the system`;
    return FOLDERS.has(lower) ? `files-safe: folders named ${name} are left out` : undefined;
  }
  if (FILES.has(lower)) return `files-safe: files named ${name} are left out`;
  const end = ENDINGS.find((ending) => lower.endsWith(ending));
  if (end !== undefined) return `files-safe: files whose names end with ${end} are left out`;
  const start = BEGINNINGS.find((beginning) => lower.startsWith(beginning));
  return start === undefined ? undefined : `files-safe: files whose names begin with ${start} are left out`;
}
