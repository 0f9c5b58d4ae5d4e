BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0002');
CREATE TABLE experiments (
	id INTEGER NOT NULL, 
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	hash TEXT NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "experiments" VALUES(1,'old',25,'b386b5637b5f44e13fe2e5b94c07e2b9df0caf8935d83bcc9d9afb42bc6eb196');
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
INSERT INTO "journal" VALUES(1,1,'created',NULL,'{"at":"2026-11-15T09:00:00.000Z","configuration":{"arms":["a","b"],"constants":"sharp","horizon":100,"mean_bound":1.0,"noise_scale":0.5,"rewards":"bernoulli","seed":11},"experiment":"old","kind":"created","policy":{"alpha":1.0,"constants":"sharp","horizon":100,"mean_bound":1.0,"n_arms":2,"noise_scale":0.5,"policy":"SLEUCB"},"previous":"0000000000000000000000000000000000000000000000000000000000000000","priority":[0,1],"requested":{"arms":["a","b"],"constants":"sharp","horizon":100,"rewards":"bernoulli","seed":11},"seed":11,"seq":1,"version":1}','dc59b5f9eeace6b9c4564e32e9f4d2b0737779576164509ccb2b7840d77ad06d');
INSERT INTO "journal" VALUES(1,2,'started',NULL,'{"at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"started","previous":"dc59b5f9eeace6b9c4564e32e9f4d2b0737779576164509ccb2b7840d77ad06d","seq":2}','8ece64fe986a523026be9a00fc08fb2895dcf79ab87fb0dc9cba71775643bdef');
INSERT INTO "journal" VALUES(1,3,'allocated','u0','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"8ece64fe986a523026be9a00fc08fb2895dcf79ab87fb0dc9cba71775643bdef","round":1,"seq":3,"unit":"u0"}','ce70bd7eef043865ae0e5938c30a61b16549305aaa7477166d2bbac64914209f');
INSERT INTO "journal" VALUES(1,4,'rewarded','u0','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"ce70bd7eef043865ae0e5938c30a61b16549305aaa7477166d2bbac64914209f","reward":0.0,"seq":4,"unit":"u0"}','e5369429b261faa7dfded6ca740dde6b308db0e101ecebae32f4fe7c6f7cbe30');
INSERT INTO "journal" VALUES(1,5,'allocated','u1','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"e5369429b261faa7dfded6ca740dde6b308db0e101ecebae32f4fe7c6f7cbe30","round":2,"seq":5,"unit":"u1"}','d4785d316f2ee6b708cc6f2e43ecd2b65d7b2341191566551b7b6f0a00730e93');
INSERT INTO "journal" VALUES(1,6,'rewarded','u1','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"d4785d316f2ee6b708cc6f2e43ecd2b65d7b2341191566551b7b6f0a00730e93","reward":1.0,"seq":6,"unit":"u1"}','6b958a35863532a350794828c93c0c93eb862088768e3660dc04c44dce8e25cd');
INSERT INTO "journal" VALUES(1,7,'allocated','u2','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"6b958a35863532a350794828c93c0c93eb862088768e3660dc04c44dce8e25cd","round":3,"seq":7,"unit":"u2"}','eeae492e0b228257fa2bb2a329381438af09828461e2867fdc39300d37a89cd5');
INSERT INTO "journal" VALUES(1,8,'rewarded','u2','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"eeae492e0b228257fa2bb2a329381438af09828461e2867fdc39300d37a89cd5","reward":0.0,"seq":8,"unit":"u2"}','0eea395adad643fdb78a8d30d33e427055434ad7b047a2f7e3be94a645704da9');
INSERT INTO "journal" VALUES(1,9,'allocated','u3','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"0eea395adad643fdb78a8d30d33e427055434ad7b047a2f7e3be94a645704da9","round":4,"seq":9,"unit":"u3"}','e4f49b65790515cee95a4f4868baad6380773eb029674cae4d4b29f8cc0109f4');
INSERT INTO "journal" VALUES(1,10,'voided','u3','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"voided","previous":"e4f49b65790515cee95a4f4868baad6380773eb029674cae4d4b29f8cc0109f4","reason":"lost","seq":10,"unit":"u3"}','1113e4d0c3e03ee728b49c2796fdb323d4a3b0a055279291ab7af6fe752d15bf');
INSERT INTO "journal" VALUES(1,11,'allocated','u4','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"1113e4d0c3e03ee728b49c2796fdb323d4a3b0a055279291ab7af6fe752d15bf","round":5,"seq":11,"unit":"u4"}','b8e1e0929743818904fd79e1b5b6b2e2b0f7f61f6414c382ea13a470a516f16b');
INSERT INTO "journal" VALUES(1,12,'rewarded','u4','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"b8e1e0929743818904fd79e1b5b6b2e2b0f7f61f6414c382ea13a470a516f16b","reward":0.0,"seq":12,"unit":"u4"}','a86b0f088e1be01c7f6df147177d95fabc0c65e0e5cf0e58d61c4a45510091d5');
INSERT INTO "journal" VALUES(1,13,'allocated','u5','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"a86b0f088e1be01c7f6df147177d95fabc0c65e0e5cf0e58d61c4a45510091d5","round":6,"seq":13,"unit":"u5"}','803db4336641ac64a3c1038ff36d92c58001c24b1d55d3810492d46aac9bd501');
INSERT INTO "journal" VALUES(1,14,'rewarded','u5','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"803db4336641ac64a3c1038ff36d92c58001c24b1d55d3810492d46aac9bd501","reward":1.0,"seq":14,"unit":"u5"}','d05cf1fd69f68c1a9b4d6c97a837c7dc6df90c7b350d34c987f542e661934276');
INSERT INTO "journal" VALUES(1,15,'allocated','u6','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"d05cf1fd69f68c1a9b4d6c97a837c7dc6df90c7b350d34c987f542e661934276","round":7,"seq":15,"unit":"u6"}','934ed5c1c11f63006b5f4d89b9745de472859f839e0770bc34f4a0932c675060');
INSERT INTO "journal" VALUES(1,16,'rewarded','u6','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"934ed5c1c11f63006b5f4d89b9745de472859f839e0770bc34f4a0932c675060","reward":0.0,"seq":16,"unit":"u6"}','54a932faf09459271d2d1eea8a02a6ff670a88003e987c479ca37cae3cb6b91e');
INSERT INTO "journal" VALUES(1,17,'allocated','u7','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"54a932faf09459271d2d1eea8a02a6ff670a88003e987c479ca37cae3cb6b91e","round":8,"seq":17,"unit":"u7"}','86d2a45ff1ad19cbac9d46e98714802a4dd14ceab8910d00e72d07ad8a51367d');
INSERT INTO "journal" VALUES(1,18,'allocated','u8','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"86d2a45ff1ad19cbac9d46e98714802a4dd14ceab8910d00e72d07ad8a51367d","round":9,"seq":18,"unit":"u8"}','deef6832fd76c4d73ee327a4e1228db53139432ceaa4688e607757c6414f696a');
INSERT INTO "journal" VALUES(1,19,'rewarded','u8','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"deef6832fd76c4d73ee327a4e1228db53139432ceaa4688e607757c6414f696a","reward":0.0,"seq":19,"unit":"u8"}','6f2c468ceb6dfd25a95ea715dd7ebcaa56680b8eb9e93b81abc56e9ac84558fb');
INSERT INTO "journal" VALUES(1,20,'allocated','u9','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"6f2c468ceb6dfd25a95ea715dd7ebcaa56680b8eb9e93b81abc56e9ac84558fb","round":10,"seq":20,"unit":"u9"}','ab3033fe604ba479ae8496101b7780c08359cf7d0e10392f266c96bf2d354ea8');
INSERT INTO "journal" VALUES(1,21,'rewarded','u9','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"ab3033fe604ba479ae8496101b7780c08359cf7d0e10392f266c96bf2d354ea8","reward":1.0,"seq":21,"unit":"u9"}','1a8372e8566eea7f0f140c287095de5be1b4e275baf240f6267788344ed1bc89');
INSERT INTO "journal" VALUES(1,22,'allocated','u10','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"1a8372e8566eea7f0f140c287095de5be1b4e275baf240f6267788344ed1bc89","round":11,"seq":22,"unit":"u10"}','68d8e0526e7acb31908a82e82e96314b299ddd750354e2eb427c820cbefba9a4');
INSERT INTO "journal" VALUES(1,23,'rewarded','u10','{"arm":"b","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"68d8e0526e7acb31908a82e82e96314b299ddd750354e2eb427c820cbefba9a4","reward":0.0,"seq":23,"unit":"u10"}','72cb81c17d45731ad406116ffb2afb3b6418d5db48eda952167dc42dc534cd4c');
INSERT INTO "journal" VALUES(1,24,'allocated','u11','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"allocated","previous":"72cb81c17d45731ad406116ffb2afb3b6418d5db48eda952167dc42dc534cd4c","round":12,"seq":24,"unit":"u11"}','cda713c4b5591675dd7827be6a71efaf2729c9e159fa47c2ed17ae10e49f2506');
INSERT INTO "journal" VALUES(1,25,'rewarded','u11','{"arm":"a","at":"2026-11-15T09:00:00.000Z","experiment":"old","kind":"rewarded","previous":"cda713c4b5591675dd7827be6a71efaf2729c9e159fa47c2ed17ae10e49f2506","reward":1.0,"seq":25,"unit":"u11"}','b386b5637b5f44e13fe2e5b94c07e2b9df0caf8935d83bcc9d9afb42bc6eb196');
CREATE TABLE probe (
	id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "probe" VALUES(1,'');
CREATE TABLE snapshots (
	experiment INTEGER NOT NULL, 
	seq BIGINT NOT NULL, 
	hash TEXT NOT NULL, 
	state TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	PRIMARY KEY (experiment), 
	FOREIGN KEY(experiment) REFERENCES experiments (id)
);
INSERT INTO "snapshots" VALUES(1,25,'b386b5637b5f44e13fe2e5b94c07e2b9df0caf8935d83bcc9d9afb42bc6eb196','{"observed":[5,5],"play":{"counts":[6,6],"moments":{"deviations":[1.5625,1.9444444444444444],"squares":[2.0,2.0],"sums":[2.0,2.0]},"observed":[5,5],"policy":{"alpha":1.0,"constants":"sharp","horizon":100,"mean_bound":1.0,"n_arms":2,"noise_scale":0.5,"policy":"SLEUCB"},"priority":[0,1],"run":0,"seed":11,"totals":[2.0,2.0],"values":[4.517598277267188,4.517598277267188]},"state":"running","voided":[1,0]}','72f52ca4b39d2d8d6fac169f4ba10b0ba5e78f5f743afc99f3b0e6f15898991a');
CREATE UNIQUE INDEX journal_by_unit ON journal (experiment, unit, kind);
CREATE TRIGGER journal_refuses_update BEFORE UPDATE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_refuses_delete BEFORE DELETE ON journal BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
COMMIT;
