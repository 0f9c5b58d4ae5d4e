BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE experiments (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "experiments" VALUES(1,'old',25,'9aeeef33784deee8af53f9512de5005b41bf397c83a7397d1bc1ef0440221ed0');
CREATE TABLE journal (
	experiment INTEGER NOT NULL, 
	seq BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	unit TEXT, 
	body TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (experiment, seq), 
	FOREIGN KEY(experiment) REFERENCES experiments (id)
)
 WITHOUT ROWID

;
INSERT INTO "journal" VALUES(1,1,'created',NULL,'{"at":"2026-11-15T09:00:00.000Z","configuration":{"arms":["a","b"],"constants":"sharp","horizon":100,"mean_bound":1.0,"noise_scale":0.5,"policy":"SLEUCB","rewards":"bernoulli","seed":11},"experiment":"old","kind":"created","policy":{"alpha":1.0,"constants":"sharp","horizon":100,"mean_bound":1.0,"n_arms":2,"noise_scale":0.5,"policy":"SLEUCB"},"previous":"0000000000000000000000000000000000000000000000000000000000000000","priority":[0,1],"requested":{"arms":["a","b"],"constants":"sharp","horizon":100,"policy":"SLEUCB","rewards":"bernoulli","seed":11},"seed":11,"seq":1,"version":1}','c1c64477ca3eff1a842fa56bee9a9f20abe15645d9c155b8bc98d1a5c5b15b81');
INSERT INTO "journal" VALUES(1,2,'started',NULL,'{"at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"started","previous":"c1c64477ca3eff1a842fa56bee9a9f20abe15645d9c155b8bc98d1a5c5b15b81","seq":2}','68d23d93808a50d74b78bee63485356cc6a3bc1a460b41a3d9d823b2e7b5df52');
INSERT INTO "journal" VALUES(1,3,'allocated','u0','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"68d23d93808a50d74b78bee63485356cc6a3bc1a460b41a3d9d823b2e7b5df52","round":1,"seq":3,"unit":"u0"}','fb120ae2a97360123d9f9cb730e6cbc77645df0d48c6c6985fd03a81989455d2');
INSERT INTO "journal" VALUES(1,4,'rewarded','u0','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"fb120ae2a97360123d9f9cb730e6cbc77645df0d48c6c6985fd03a81989455d2","reward":0.0,"seq":4,"unit":"u0"}','6128447b941446ae7f4ee749dd46502b963891973f6ce2fd3f9d1b941ad7c6a0');
INSERT INTO "journal" VALUES(1,5,'allocated','u1','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"6128447b941446ae7f4ee749dd46502b963891973f6ce2fd3f9d1b941ad7c6a0","round":2,"seq":5,"unit":"u1"}','c41c440d49ef42b28d6f7118555f9ffa0a8d9f8b7163bb4aa3d1c4de7b46ea6a');
INSERT INTO "journal" VALUES(1,6,'rewarded','u1','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"c41c440d49ef42b28d6f7118555f9ffa0a8d9f8b7163bb4aa3d1c4de7b46ea6a","reward":1.0,"seq":6,"unit":"u1"}','7274fd95d66a7aa852dc8be2c856bf0fd2b723d4f7c1caef9ace4142d279266c');
INSERT INTO "journal" VALUES(1,7,'allocated','u2','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"7274fd95d66a7aa852dc8be2c856bf0fd2b723d4f7c1caef9ace4142d279266c","round":3,"seq":7,"unit":"u2"}','6da60bb8174f7d7e885494359bbfa1e72fff91ffb351dfff048e4f237680cc5d');
INSERT INTO "journal" VALUES(1,8,'rewarded','u2','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"6da60bb8174f7d7e885494359bbfa1e72fff91ffb351dfff048e4f237680cc5d","reward":0.0,"seq":8,"unit":"u2"}','bd2c0a5b963b7a64a9fb5866fc84d062a6fab3f281388a65f605ce9fe22a71e7');
INSERT INTO "journal" VALUES(1,9,'allocated','u3','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"bd2c0a5b963b7a64a9fb5866fc84d062a6fab3f281388a65f605ce9fe22a71e7","round":4,"seq":9,"unit":"u3"}','8b9c6c951d1d11e936f5fa664dd33b8ebf8ccead8923373fb982b2c8c4b0d606');
INSERT INTO "journal" VALUES(1,10,'voided','u3','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"voided","previous":"8b9c6c951d1d11e936f5fa664dd33b8ebf8ccead8923373fb982b2c8c4b0d606","reason":"lost","seq":10,"unit":"u3"}','ef71f96a71bc128b61c0249d1042f68716ed7d3976787dd350ba080ed01411ef');
INSERT INTO "journal" VALUES(1,11,'allocated','u4','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"ef71f96a71bc128b61c0249d1042f68716ed7d3976787dd350ba080ed01411ef","round":5,"seq":11,"unit":"u4"}','dc17e13332981607b934dd38257be309df00c8f7eec374a4265911b19148c8c8');
INSERT INTO "journal" VALUES(1,12,'rewarded','u4','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"dc17e13332981607b934dd38257be309df00c8f7eec374a4265911b19148c8c8","reward":0.0,"seq":12,"unit":"u4"}','9fe208b4624d32b67ef6f6019053482ee0343244b79b315a9f8f3840ce420a5a');
INSERT INTO "journal" VALUES(1,13,'allocated','u5','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"9fe208b4624d32b67ef6f6019053482ee0343244b79b315a9f8f3840ce420a5a","round":6,"seq":13,"unit":"u5"}','8df59e06fd493642a48ad7b7ef875e729740722e5892f148ad206b6c109ad830');
INSERT INTO "journal" VALUES(1,14,'rewarded','u5','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"8df59e06fd493642a48ad7b7ef875e729740722e5892f148ad206b6c109ad830","reward":1.0,"seq":14,"unit":"u5"}','a3eaf070bb1de45a8d6f995a80280d28439d58d588af0032bfe16c5ab61bd2e9');
INSERT INTO "journal" VALUES(1,15,'allocated','u6','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"a3eaf070bb1de45a8d6f995a80280d28439d58d588af0032bfe16c5ab61bd2e9","round":7,"seq":15,"unit":"u6"}','78543d7d865074866da6455037d6ebfccbca47d67a61b0da8061dc23b1b8abea');
INSERT INTO "journal" VALUES(1,16,'rewarded','u6','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"78543d7d865074866da6455037d6ebfccbca47d67a61b0da8061dc23b1b8abea","reward":0.0,"seq":16,"unit":"u6"}','44369ed4a55197c05a48225d45a75483eeca97d87963aaf84197d772afb020f5');
INSERT INTO "journal" VALUES(1,17,'allocated','u7','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"44369ed4a55197c05a48225d45a75483eeca97d87963aaf84197d772afb020f5","round":8,"seq":17,"unit":"u7"}','a00305f85b9dbd7de88e986f55a62309bc40a394637a568f5a176660bacf106e');
INSERT INTO "journal" VALUES(1,18,'allocated','u8','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"a00305f85b9dbd7de88e986f55a62309bc40a394637a568f5a176660bacf106e","round":9,"seq":18,"unit":"u8"}','e92ae8c4b85320a08c1c93cf9bd780647f42b19508b950266bece78be1af3cbd');
INSERT INTO "journal" VALUES(1,19,'rewarded','u8','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"e92ae8c4b85320a08c1c93cf9bd780647f42b19508b950266bece78be1af3cbd","reward":0.0,"seq":19,"unit":"u8"}','22f2e9919b64cc7503cd4396222f9a07a39828ea8ce6eff3bb46265753f028dc');
INSERT INTO "journal" VALUES(1,20,'allocated','u9','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"22f2e9919b64cc7503cd4396222f9a07a39828ea8ce6eff3bb46265753f028dc","round":10,"seq":20,"unit":"u9"}','d49f20ebb28059bfaf8d2390073ee15b35759cb75348649fdb2973b0ebb25be3');
INSERT INTO "journal" VALUES(1,21,'rewarded','u9','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"d49f20ebb28059bfaf8d2390073ee15b35759cb75348649fdb2973b0ebb25be3","reward":1.0,"seq":21,"unit":"u9"}','4e79d3ba61e1c036e9b365024a45fabd1f8c45e661e7f438a874bceba5acb783');
INSERT INTO "journal" VALUES(1,22,'allocated','u10','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"4e79d3ba61e1c036e9b365024a45fabd1f8c45e661e7f438a874bceba5acb783","round":11,"seq":22,"unit":"u10"}','b736b97705925f4dd6b1e598bf86be04dd02c4b18916d59af4229bfd56b7d3a7');
INSERT INTO "journal" VALUES(1,23,'rewarded','u10','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"b736b97705925f4dd6b1e598bf86be04dd02c4b18916d59af4229bfd56b7d3a7","reward":0.0,"seq":23,"unit":"u10"}','48f2ce597e563db2b19a0da7ad8dd143f771662ed595c965c74c74aa196d36f8');
INSERT INTO "journal" VALUES(1,24,'allocated','u11','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"48f2ce597e563db2b19a0da7ad8dd143f771662ed595c965c74c74aa196d36f8","round":12,"seq":24,"unit":"u11"}','d875c62ce392fc29e3bab6be9ed97e4d43f5f89c6ab83a578fec6a405500be20');
INSERT INTO "journal" VALUES(1,25,'rewarded','u11','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"d875c62ce392fc29e3bab6be9ed97e4d43f5f89c6ab83a578fec6a405500be20","reward":1.0,"seq":25,"unit":"u11"}','9aeeef33784deee8af53f9512de5005b41bf397c83a7397d1bc1ef0440221ed0');
CREATE UNIQUE INDEX journal_by_unit ON journal (experiment, unit, kind);
CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
COMMIT;
