import { Migration } from '@mikro-orm/migrations';

/** What all servers of a database share. */
export class Installation extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  'create table `installation` (`id` integer not null primary key, `policy_epoch` integer not null, `key_fingerprint` text null)',
  'insert into `installation` (`id`, `policy_epoch`) values (1, 0)',
];
